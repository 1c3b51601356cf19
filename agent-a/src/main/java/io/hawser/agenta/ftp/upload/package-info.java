/**
 * Uploads over FTP: {@link io.hawser.agenta.ftp.upload.UploadStarter} decides by REST, ALLO, APPE and ESTO what begins; {@link
 * io.hawser.agenta.ftp.upload.StreamModeUpload} receives in stream mode and {@link io.hawser.agenta.ftp.upload.ModeEUpload} in MODE E.
 */
@NullMarked
package io.hawser.agenta.ftp.upload;

import org.jspecify.annotations.NullMarked;
