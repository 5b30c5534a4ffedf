/** The pictures of the plugin in the manual: `node` runs this bundled, with the folder to write to. */
import { join } from "node:path";
import process from "node:process";
import { Desk } from "./desk";
import { openNote, run, search } from "./hands";
import { NOTES } from "./notes";

const out = process.argv[2] ?? ".";
const desk = await Desk.open(NOTES);
try {
  const light = await desk.sit({ width: 380 });
  await openNote(light, "Projects/Heron/Plan.md");
  await search(light, "harbour sensors");
  await light.keyboard.press("Enter");
  await light.locator(".is-flashing").first().waitFor();
  await light.screenshot({ path: join(out, "plugin-search.png") });
  const dark = await desk.sit({ width: 380, context: { colorScheme: "dark" } });
  await openNote(dark, "People/Ove.md");
  await run(dark, "related");
  await dark.locator(".hv-row").first().waitFor();
  await dark.screenshot({ path: join(out, "plugin-related-dark.png") });
  const narrow = await desk.sit({ width: 220, dir: "rtl" });
  await search(narrow, "harbour");
  await narrow.locator("#side").screenshot({ path: join(out, "plugin-220-rtl.png") });
} finally {
  await desk.close();
}
