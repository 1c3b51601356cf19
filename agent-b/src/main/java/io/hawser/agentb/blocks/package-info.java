/**
 * The data connections of downloads in extended block mode (MODE E, GFD.20 §3.4), without the control connection.
 *
 * <pre>
 *   ModeEAcceptedConnections (the server dials them; kept from file to file) ──► BlockTransfer (one file) ──► BlockWindow ──► reader
 * </pre>
 */
@NullMarked
package io.hawser.agentb.blocks;

import org.jspecify.annotations.NullMarked;
