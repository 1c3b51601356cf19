/**
 * The admin pages of a node. {@link io.hawser.ops.observe.AdminServer} serves them over HTTP:
 * {@code /health}, {@code /metrics} and the node's own, each an {@link io.hawser.ops.observe.AdminPage}.
 * {@link io.hawser.ops.observe.TransferStatus} and the records that it holds are the JSON of {@code /transfers}, which
 * {@code hawser status} prints.
 */
@NullMarked
package io.hawser.ops.observe;

import org.jspecify.annotations.NullMarked;
