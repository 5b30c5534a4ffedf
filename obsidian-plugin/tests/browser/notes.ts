/** The small invented vault of the browser tests and of the manual's pictures. */

const LOG = Array.from({ length: 12 }, (_, day) => `## Day ${String(day + 1)}\n\nWind from the west, the harbour quiet, nets mended until noon on day ${String(day + 1)}.\n`).join("\n");

export const NOTES: Readonly<Record<string, string>> = {
  "Projects/Heron/Plan.md":
    "# Plan\n\nThe heron project counts birds at the harbour. #work/plan\n\n## Storage\n\nThe readings of the harbour sensors are kept in SQLite, one file for each year.\nA backup goes to the boat house every Sunday night.\n\n## People\n\n[[Anna Berg]] writes the parser, [[Ove]] keeps the books of the harbour.\n",
  "Projects/Heron/Log.md": `# Log\n\n${LOG}\n## The storm\n\nThe lighthouse keeper radioed at midnight: the eastern breakwater is gone.\n[[Ove]] tied up the boats.\n`,
  "People/Anna Berg.md": "---\naliases: [Anna]\n---\n# Anna Berg\n\nRuns the [[Plan]] with [[Ove]]; knows SQLite and birds.\n",
  "People/Ove.md": "# Ove\n\nKeeps the harbour's books. The [[Plan]] was his idea.\n",
  "Recipes/Fish soup.md": "# Fish soup\n\n#recipe/soup\n\nCod from the harbour, leek, cream and a lot of pepper.\n",
  "Дневник/Ночной поезд.md": "# Ночной поезд\n\nПоездом ночью до Твери, потом пешком к маяку. В гавани спали лодки.\n",
  "Memory/Facts/Home.md": "# Home\n\n- The boiler is serviced every October #house [created:: 2026-01-12] ^boil\n- [[Anna Berg|Anna]] has the spare key [trust:: 0.8] [created:: 2026-05-24] ^keyk\n",
};
