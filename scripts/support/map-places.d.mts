/** @param folder the folder that the maps lie in */
export const withoutPlaces: (folder: string) => Promise<void>;
