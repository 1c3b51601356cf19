/**
 * Extended block mode, GridFTP's MODE E (GFD.20 section 3.2). {@link io.hawser.agenta.modee.BlockDecoder}, {@link
 * io.hawser.agenta.modee.EndCount} and {@link io.hawser.agenta.modee.RangeText} are pure. {@link
 * io.hawser.agenta.modee.FragmentAssembly} makes fragments of blocks that come in any order over any number of connections;
 * {@link io.hawser.agenta.modee.BlockReceiver} is one of these connections. Nothing here knows of FTP commands.
 */
@NullMarked
package io.hawser.agenta.modee;

import org.jspecify.annotations.NullMarked;
