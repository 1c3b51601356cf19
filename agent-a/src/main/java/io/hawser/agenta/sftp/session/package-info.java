/**
 * SFTP sessions: {@link io.hawser.agenta.sftp.session.SftpSession} takes requests and answers them, of open files by {@link
 * io.hawser.agenta.sftp.session.OpenFile}. A request begins in the order in which it came and is answered when it is done, so a slow one
 * holds up no other; what touches one file keeps its order. All of it belongs to the loop; {@link
 * io.hawser.agenta.sftp.session.Outlet} is the way to the client.
 */
@NullMarked
package io.hawser.agenta.sftp.session;

import org.jspecify.annotations.NullMarked;
