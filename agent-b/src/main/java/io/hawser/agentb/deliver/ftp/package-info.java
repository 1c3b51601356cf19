/**
 * agent-b as a client of FTP, FTPS and GridFTP servers.
 *
 * <pre>
 *   FtpTarget ─┬─► ObjectDelivery (one object) ─┬─► FarSession (a login, known directories) ──► FarFtpClient ──► commons-net
 *   threads    │   temporary name, resume,      │   one control connection, commands            TLS, data sockets
 *              │   verify, rename               │
 *              └─► EarlyUploads, EarlyDelivery ─┴─► StreamUpload (MODE S) or BlockUpload (MODE E)
 *                  while it still comes in
 * </pre>
 *
 * <p>The object is uploaded as {@code .hawser-<id>} into the directory where it will be, checked there (size; checksum where the
 * server can), given its modification time, and renamed. After a crash of either side an upload goes on where the temporary file
 * ends. Before the rename is asked for that is noted durably ({@code DeliveryNote}); so whoever finds the note and no temporary name
 * knows that the rename was made, also when the final name has been taken away or replaced since.
 *
 * <p>Everything here blocks and runs on the target's own threads. {@code StallWatchdog} closes the sockets of a server that has said
 * nothing and taken nothing for too long; that is how a thread gets out of a write that would wait for ever.
 */
@NullMarked
package io.hawser.agentb.deliver.ftp;

import org.jspecify.annotations.NullMarked;
