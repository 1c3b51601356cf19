/**
 * What the near edge may list and read comes from a far FTP, FTPS or GridFTP server.
 *
 * <pre>
 *   CallServer ──► FarFiles ─┬─ FarStat, FarListing, checksums ──► ReadingSessions (logins, one problem for all)
 *   questions                └─ FarStreams ──► FarStream (one RETR that goes on) ──┘
 * </pre>
 *
 * <p>Blocks are asked for one by one, and in order by each reader; a RETR for each would cost a login or a round trip and a new data
 * connection. So the RETR of the first block goes on, and whoever asks for the byte at which it stands continues it. Readers at
 * other places of the same file get a stream of their own. Streams and logins are bounded; what is idle is closed.
 *
 * <p>A file's version is its size and its modification time. It is looked at before a RETR, every second of it, and behind the last
 * byte.
 *
 * <p>Everything here blocks and runs on the threads of {@link io.hawser.agentb.files.CallServer}; {@code hawser-far-door} dials a
 * server that was not there, and closes what is idle.
 */
@NullMarked
package io.hawser.agentb.serve;

import org.jspecify.annotations.NullMarked;
