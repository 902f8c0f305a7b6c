/** The environment variable that names the folder of the programs of this run. */
export const FOLDER = 'RX_MCP_PROGRAMS';
