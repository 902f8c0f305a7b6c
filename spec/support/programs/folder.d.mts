export declare const FOLDER: string;
