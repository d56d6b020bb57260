import { readFile } from "node:fs/promises";

/** What a script in static/ exports, as browsers get it: without a build, and for scripts that import nothing. */
export async function load(path) {
  const text = await readFile(new URL(`../../static/${path}`, import.meta.url), "utf8");
  return import(`data:text/javascript,${encodeURIComponent(`${text}\n//# sourceURL=static/${path}`)}`);
}
