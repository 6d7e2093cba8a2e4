//! The server: its ports, its connections, and what it remembers.
//! Given a plan; hands on its address, the calls and the counters. Every task of it ends when it is dropped.
//! Deliberately absent: what is said on a connection.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use crate::connection::{Door, serve};
use crate::memory::Memory;
use crate::plan::{Course, Plan};
use crate::seen::{Counters, Seen, Tally, sound};

/// How many connections may wait to be taken.
const BACKLOG: u32 = 8192;

/// How long to wait before the next connection is tried when none could be taken.
const BREATH: Duration = Duration::from_millis(10);

/// Hears of every call as it is decided.
pub(crate) type Told = Box<dyn Fn(&Seen) + Send + Sync>;

/// A running server on 127.0.0.1. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    url: String,
    house: Arc<House>,
    doors: [Keeper; 2],
}

/// Whoever takes connections at one port.
#[derive(Debug)]
struct Keeper {
    task: JoinHandle<()>,
    close: oneshot::Sender<()>,
}

/// What all connections share.
pub(crate) struct House {
    pub(crate) course: Course,
    pub(crate) tally: Tally,
    pub(crate) memory: Mutex<Memory>,
    pub(crate) elsewhere: String,
    calls: Mutex<Vec<Seen>>,
    told: Option<Told>,
}

impl Server {
    /// Starts a server on a free port.
    ///
    /// # Errors
    /// Where the machine has no port to give.
    pub async fn start(plan: Plan) -> io::Result<Self> {
        Self::open(plan, 0, None)
    }

    /// Starts a server on this port (0 = a free one) that tells of every call as it is decided.
    ///
    /// # Errors
    /// Where the port is taken, or not ours to take.
    pub async fn start_at(port: u16, plan: Plan, told: impl Fn(&Seen) + Send + Sync + 'static) -> io::Result<Self> {
        Self::open(plan, port, Some(Box::new(told)))
    }

    fn open(plan: Plan, port: u16, told: Option<Told>) -> io::Result<Self> {
        let (front, elsewhere) = (listen(port)?, listen(0)?);
        let url = |listener: &TcpListener| listener.local_addr().map(|address| format!("http://{address}"));
        let house = Arc::new(House {
            course: Course::new(plan),
            tally: Tally::default(),
            memory: Mutex::default(),
            elsewhere: url(&elsewhere)?,
            calls: Mutex::default(),
            told,
        });
        let url = url(&front)?;
        let doors = [(front, false), (elsewhere, true)].map(|(listener, elsewhere)| {
            let (close, closing) = oneshot::channel();
            Keeper { task: tokio::spawn(welcome(listener, house.clone(), elsewhere, closing)), close }
        });
        Ok(Self { url, house, doors })
    }

    /// Where it listens: `http://127.0.0.1:PORT`, without a path.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where redirects lead: the same server at another port.
    pub fn elsewhere(&self) -> &str {
        &self.house.elsewhere
    }

    /// The calls so far, in the order in which they were decided; none if the plan keeps none.
    pub fn calls(&self) -> Vec<Seen> {
        sound(&self.house.calls).clone()
    }

    /// How much has happened so far.
    pub fn counters(&self) -> Counters {
        self.house.tally.now()
    }

    /// Stops, with every connection, and comes back when all is closed.
    pub async fn stop(self) {
        for Keeper { task, close } in self.doors {
            // Nobody there to hear it, or a task that ended badly: closed all the same.
            let _ = close.send(());
            let _ = task.await;
        }
    }
}

impl House {
    /// Whether anybody looks at what arrived.
    pub(crate) fn notes(&self) -> bool {
        self.course.plan.keeps || self.told.is_some()
    }

    pub(crate) fn note(&self, seen: Seen) {
        if let Some(told) = &self.told {
            told(&seen);
        }
        if self.course.plan.keeps {
            sound(&self.calls).push(seen);
        }
    }
}

impl fmt::Debug for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("House").field("course", &self.course).field("tally", &self.tally).finish_non_exhaustive()
    }
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // A port whose last connections still linger can be taken again at once.
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    socket.listen(BACKLOG)
}

/// Takes connections until it is told to close or nobody is left to tell it; they end with it.
async fn welcome(listener: TcpListener, house: Arc<House>, elsewhere: bool, mut closing: oneshot::Receiver<()>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            taken = listener.accept() => match taken {
                Ok((stream, _)) => {
                    let number = house.tally.connections.fetch_add(1, Ordering::Relaxed) + 1;
                    connections.spawn(serve(stream, house.clone(), Door { number, elsewhere }));
                }
                // Too many open files, most likely: whoever holds them has to let go first.
                Err(_) => tokio::time::sleep(BREATH).await,
            },
            Some(_) = connections.join_next() => {}
            _ = &mut closing => break,
        }
    }
    drop(listener);
    connections.shutdown().await;
}
