/**
 * Reads from a far FTP, FTPS or GridFTP server what clients of agent-a list and read.
 *
 * <pre>
 *   CallServer ──► FarFiles ─┬─ FarStat, FarListing, checksums ──► ReadingSessions (pool of logins, reconnects)
 *   questions                └─ FarStreams ──► FarStream (one long RETR) ──────────┘
 * </pre>
 *
 * <p>agent-a asks for blocks one by one, each reader in order. A RETR for each block would cost a login or a round trip and a new data connection. So
 * the RETR of the first block continues, and the reader of the next byte takes it from there. Readers at other offsets of the same file get a stream
 * of their own. Streams and logins are bounded; idle ones are closed.
 *
 * <p>A file's version is its size and its modification time. It is checked before a RETR, every second of it, and after the last byte.
 *
 * <p>Everything here blocks and runs on the threads of {@link io.hawser.agentb.files.CallServer}; {@code hawser-far-reconnect} dials a server that
 * could not be reached, and closes idle logins.
 */
@NullMarked
package io.hawser.agentb.serve;

import org.jspecify.annotations.NullMarked;
