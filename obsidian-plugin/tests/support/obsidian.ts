// Before every view test: Obsidian's own DOM helpers and globals, as the mock provides them.
import { setup } from "obsidian-test-mocks/setup";

setup();
