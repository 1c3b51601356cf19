/**
 * Data connections in extended block mode (MODE E, GFD.20 §3.4), without the dialogue on the control connection.
 *
 * <pre>
 *   BlockConnections (where the server dials, kept from file to file) ──► BlockTransfer (one file) ──► BlockWindow ──► its reader
 * </pre>
 */
@NullMarked
package io.hawser.agentb.blocks;

import org.jspecify.annotations.NullMarked;
