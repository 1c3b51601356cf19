/**
 * Extended block mode, GridFTP's MODE E (GFD.20 section 3.2). {@link io.hawser.agenta.ftp.modee.BlockDecoder}, {@link
 * io.hawser.agenta.ftp.modee.ModeEEndDetector} and {@link io.hawser.agenta.ftp.modee.RangeText} are pure. {@link
 * io.hawser.agenta.ftp.modee.BlockConnectionReader} is one connection of an upload. Nothing here knows of FTP commands.
 */
@NullMarked
package io.hawser.agenta.ftp.modee;

import org.jspecify.annotations.NullMarked;
