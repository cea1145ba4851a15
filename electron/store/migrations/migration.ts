/** One step from a version of the tables to the next. A step that was released never changes again. */
export interface Migration {
  /** What `schema_version` says afterwards: 1, 2, 3, … without gaps. */
  version: number;
  sql: string;
}
