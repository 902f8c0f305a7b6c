/** The longest time a timer of the platform can hold, in ms; a longer one would fire at once. */
export const LONGEST_MS = 2_147_483_647;
