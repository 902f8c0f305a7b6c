export { loadRecording, recordTo, type RecordTo, saveRecording } from './files.js';
