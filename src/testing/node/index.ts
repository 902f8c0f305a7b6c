/**
 * Recordings as files. For Node.
 *
 * @module rx-mcp/testing/node
 */
export { loadRecording, recordTo, type RecordTo, saveRecording } from './files.js';
