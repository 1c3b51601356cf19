/**
 * agent-b as a client of FTP, FTPS and GridFTP servers.
 *
 * <pre>
 *   FtpTarget ──► Delivering (one object) ──► FarSession (a login, known directories) ──► FarFtpClient ──► commons-net
 *   threads       temporary name, resume,     one control connection, commands            TLS, data sockets
 *                 verify, rename               │
 *                                              └─ StreamUpload (MODE S) or BlockUpload (MODE E)
 * </pre>
 *
 * <p>The object is uploaded as {@code .hawser-<id>} into the directory where it will be, checked there (size; checksum where the
 * server can), given its modification time, and renamed. After a crash of either side an upload goes on where the temporary file
 * ends. Before the rename is asked for a mark is made durable ({@code RenameMarks}); so whoever finds the mark and no temporary name
 * knows that the rename was made, also when the final name has been taken away or replaced since.
 *
 * <p>Everything here blocks and runs on the target's own threads. {@code SilenceWatch} closes the sockets of a server that has said
 * nothing and taken nothing for too long; that is how a thread gets out of a write that would wait for ever.
 */
@NullMarked
package io.hawser.agentb.deliver.ftp;

import org.jspecify.annotations.NullMarked;
