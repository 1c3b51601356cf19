/**
 * agent-b as a client of FTP, FTPS and GridFTP servers.
 *
 * <pre>
 *   FtpTarget ─┬─► ObjectDelivery (one object) ─┬─► FarSession (a login, known directories) ──► FarFtpClient ──► commons-net
 *   threads    │   temporary name, resume,      │   one control connection, commands            TLS, data sockets
 *              │   verify, rename               │
 *              └─► EarlyUploads, EarlyDelivery ─┴─► StreamSpooler (MODE S) or BlockUpload (MODE E)
 *                  while it still arrives
 * </pre>
 *
 * <p>The object is uploaded as {@code .hawser-<id>} into the directory where it will be, checked there (size; checksum where the
 * server can), given its modification time, and renamed. After a crash of either side an upload resumes at the end of the temporary
 * file. Before agent-b asks for the rename it notes that durably ({@code DeliveryCheckpoint}). So the note and no temporary file prove that the server made
 * the rename, even if the final name was removed or replaced since.
 *
 * <p>Everything here blocks and runs on the target's own threads. {@code StallWatchdog} closes the sockets of a server that sends and takes nothing
 * for too long, which frees a thread from a write that would wait for ever.
 */
@NullMarked
package io.hawser.agentb.deliver.ftp;

import org.jspecify.annotations.NullMarked;
