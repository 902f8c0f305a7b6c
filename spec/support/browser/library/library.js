// The package as a page gets it, for specs to use from outside.
import * as mcp from 'rx-mcp';
import * as rx from 'rxjs';

globalThis.library = { mcp, rx, kept: { seen: [] } };
