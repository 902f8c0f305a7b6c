import { type Check, refuse } from '../client/checks.js';
import { isObject } from '../jsonrpc/index.js';

/** As `checkOptions`, for options inside an option: each is named by its path, such as `budget.perCall`. */
export const checkMembers = (value: unknown, checks: Readonly<Record<string, Check>>, name: string): void => {
  if (!isObject(value)) return refuse(name, 'give an object');
  for (const [key, member] of Object.entries(value)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    const path = `${name}.${key}`;
    if (check === undefined) refuse(path, `there is no such option; known are ${Object.keys(checks).join(', ')}`);
    else if (member !== undefined) check(member, path);
  }
};
