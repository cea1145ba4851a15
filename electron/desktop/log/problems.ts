import type { UserError } from "../../../shared/conversation/events.ts";

export interface ProblemReaders {
  /** A line of the log for each time that one is reported. */
  warn(message: string): void;
  /** There is one more to show, or one less. */
  onChange(): void;
}

/** What went wrong beside the conversations, at the start and since: the windows show it until it is mended or dismissed. */
export class Problems {
  /** Each once, oldest first. */
  list: readonly UserError[] = [];
  #readers: ProblemReaders | null = null;

  report = (problem: UserError): void => {
    this.#readers?.warn(lineOf(problem));
    if (this.list.some(({ message }) => message === problem.message)) return;
    this.list = [...this.list, problem];
    this.#readers?.onChange();
  };

  /** It is no longer wrong. */
  mended = ({ message: mended }: UserError): void => {
    this.list = this.list.filter(({ message }) => message !== mended);
    this.#readers?.onChange();
  };

  /** There is a log now: it gets what was reported before it, too. */
  connect(readers: ProblemReaders): void {
    for (const problem of this.list) readers.warn(lineOf(problem));
    this.#readers = readers;
  }
}

const lineOf = ({ message, hint }: UserError) => (hint ? `${message} ${hint}` : message);
