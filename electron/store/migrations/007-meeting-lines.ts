import type { Migration } from "./migration.ts";

/**
 * What was noted in meetings, a line an utterance. `meeting_asks` says which prompts brought a line: `asked_with` is the
 * id of a message, or of a prompt that waits (one that is dropped gives its lines back). A line can stand in several, each
 * on a path of its own. Lines of an earlier Parley are found in `events`, and what was asked about in the prompts
 * themselves, by their words.
 */
export const meetingLines: Migration = {
  version: 7,
  sql: `
    CREATE TABLE meeting_lines (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      who TEXT NOT NULL,
      text TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER NOT NULL,
      UNIQUE (session_id, id)
    );
    CREATE INDEX meeting_lines_in_order ON meeting_lines (session_id, started_at, seq);

    CREATE TABLE meeting_asks (
      line_seq INTEGER NOT NULL REFERENCES meeting_lines (seq) ON DELETE CASCADE,
      asked_with TEXT NOT NULL,
      PRIMARY KEY (line_seq, asked_with)
    ) WITHOUT ROWID;
    CREATE INDEX meeting_asks_of_prompt ON meeting_asks (asked_with);

    CREATE TRIGGER inputs_give_lines_back AFTER DELETE ON inputs BEGIN
      DELETE FROM meeting_asks WHERE asked_with = OLD.id;
    END;
    CREATE TRIGGER meeting_lines_to_index AFTER INSERT ON meeting_lines BEGIN
      INSERT INTO to_index (session_id, message_id, tool_use_id)
        VALUES (new.session_id, CAST(new.seq AS TEXT), ':meeting');
    END;

    CREATE TEMP TABLE heard_before AS
      SELECT seq, session_id, at, json ->> 'utteranceId' AS utterance_id, json ->> 'rule' AS rule,
        json ->> 'source' AS source, json ->> 'text' AS text
      FROM events WHERE type = 'voice.utterance' AND json_valid(json);
    INSERT INTO meeting_lines (id, session_id, who, text, started_at, ended_at)
      SELECT 'event-' || seq, session_id, CASE source WHEN 'loopback' THEN 'them' ELSE 'me' END, text, at, at
      FROM heard_before
      WHERE rule = 'noted' AND text IS NOT NULL AND session_id IN (SELECT id FROM sessions)
        AND session_id || char(10) || utterance_id NOT IN (
          SELECT session_id || char(10) || utterance_id FROM heard_before
          WHERE rule = 'echo' AND utterance_id IS NOT NULL
        )
      ORDER BY seq;
    DROP TABLE heard_before;
    INSERT OR IGNORE INTO meeting_asks (line_seq, asked_with)
      SELECT meeting_lines.seq, messages.id
      FROM blocks JOIN messages ON messages.id = blocks.message_id
        JOIN json_each(CASE WHEN json_valid(blocks.json) THEN blocks.json ELSE '{}' END, '$.meeting') AS said
        JOIN meeting_lines ON meeting_lines.session_id = messages.session_id
          AND started_at <= created_at AND who = said.value ->> 'who' AND text = said.value ->> 'text'
      WHERE blocks.type = 'text' AND blocks.json LIKE '%"meeting":[%';
    INSERT OR IGNORE INTO meeting_asks (line_seq, asked_with)
      SELECT meeting_lines.seq, inputs.id
      FROM inputs JOIN json_each(CASE WHEN json_valid(inputs.json) THEN inputs.json ELSE '{}' END, '$.meeting') AS said
        JOIN meeting_lines ON meeting_lines.session_id = inputs.session_id
          AND who = said.value ->> 'who' AND text = said.value ->> 'text';
  `,
};
