/**
 * Downloads over FTP: {@link io.hawser.agenta.ftp.download.DownloadStarter} finds the source; {@link io.hawser.agenta.ftp.download.FtpDataSender}
 * sends it, in stream mode or in MODE E, and listings too. Checksums too.
 */
@NullMarked
package io.hawser.agenta.ftp.download;

import org.jspecify.annotations.NullMarked;
