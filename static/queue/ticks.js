// The ticks by which a page that waits for players asks. A worker: browsers slow the timers of pages that nobody sees.

const every = new URL(location).searchParams.get("every");
setInterval(() => postMessage(""), Number(every) * 1000);
