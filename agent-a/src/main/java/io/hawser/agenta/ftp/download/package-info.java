/**
 * Downloads over FTP: {@link io.hawser.agenta.ftp.download.DownloadOpening} finds the source; {@link
 * io.hawser.agenta.ftp.download.DownloadTransfer} sends in stream mode and {@link io.hawser.agenta.ftp.download.BlockDownload} in MODE E.
 * Checksums too.
 */
@NullMarked
package io.hawser.agenta.ftp.download;

import org.jspecify.annotations.NullMarked;
