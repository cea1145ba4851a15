import type Libsql from "libsql";
import { isDamage, toStoreError } from "./store-errors.ts";

/** What a column can hold. */
export type SqlValue = string | number | null | Uint8Array;

/** A prepared statement. Both throw StoreError. */
export interface SqlStatement {
  /** @returns how many rows changed */
  run(values: readonly SqlValue[]): number;
  /** @returns rows as objects, not yet looked at */
  all(values: readonly SqlValue[]): unknown[];
}

/**
 * An open database, with foreign keys on. A file is in WAL, so that what was written survives the death of the process.
 * libsql works synchronously: a statement is done when its call returns.
 */
export class Database {
  /** How it is named where something fails, too: `memory` where it is no file. */
  readonly file: string;
  /** Called whenever SQLite finds the file damaged. */
  onDamaged: (() => void) | null = null;
  #connection: Libsql.Database;
  readonly #always: string[] = [];
  readonly #begin: SqlStatement;
  readonly #commit: SqlStatement;
  readonly #rollback: SqlStatement;

  constructor(file: string, connection: Libsql.Database) {
    this.file = file;
    this.#connection = connection;
    // IMMEDIATE: a transaction that first reads could not wait for another process's write any more.
    this.#begin = this.prepare("BEGIN IMMEDIATE");
    this.#commit = this.prepare("COMMIT");
    this.#rollback = this.prepare("ROLLBACK");
  }

  prepare(sql: string): SqlStatement {
    let connection = this.#connection;
    let prepared = this.guard(() => connection.prepare(sql));
    const statement = () => {
      if (connection !== this.#connection) {
        connection = this.#connection;
        prepared = connection.prepare(sql);
      }
      return prepared;
    };
    // Given as one array: libsql takes a lone null for a set of named values.
    return {
      run: (values) => this.guard(() => statement().run(values).changes),
      all: (values) => this.guard(() => statement().all(values)),
    };
  }

  /** Runs several statements at once. */
  exec(sql: string): void {
    this.guard(() => this.#connection.exec(sql));
  }

  /** Runs them now, and on each connection that takes the place of this one. */
  execAlways(sql: string): void {
    this.exec(sql);
    this.#always.push(sql);
  }

  /** Goes on, with all its statements, with the connection of another, which is closed with this one. */
  moveTo(other: Database): void {
    this.close();
    this.#connection = other.#connection;
    for (const sql of this.#always) this.exec(sql);
  }

  /** All that `work` writes or, when it throws, nothing. @throws StoreError and what `work` throws */
  transaction<T>(work: () => T): T {
    this.#begin.run([]);
    try {
      const result = work();
      this.#commit.run([]);
      return result;
    } catch (error) {
      // A full disk has ended it already.
      if (this.#connection.inTransaction) this.#rollback.run([]);
      throw error;
    }
  }

  close(): void {
    if (this.#connection.open) this.guard(() => this.#connection.close());
  }

  /** @throws StoreError for whatever `work` throws */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) this.onDamaged?.();
      throw toStoreError(error, this.file);
    }
  }
}
