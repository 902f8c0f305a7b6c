// The checks of options, where the folders from here on look for them.
export {
  boolean,
  bytes,
  callback,
  type Check,
  checkMembers,
  checkOptions,
  milliseconds,
  object,
  oneOf,
  refuse,
  whole,
} from '../jsonrpc/checks.js';
