/**
 * Reads bytes from a Netty channel straight into their final memory. Internal to the module.
 *
 * <p>{@link io.hawser.ptcp.netty.ExactReader} is the last handler of every channel. Its current
 * {@link io.hawser.ptcp.netty.ReadTarget} provides the memory for the next bytes, and never more than that is read;
 * {@link io.hawser.ptcp.netty.FrameReader} does so for control frames, {@link io.hawser.ptcp.netty.PacketReader} for packets.
 * Without TLS the socket is read straight into that memory; with TLS there is one copy.
 */
@NullMarked
package io.hawser.ptcp.netty;

import org.jspecify.annotations.NullMarked;
