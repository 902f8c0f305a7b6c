export const recipes = {};
