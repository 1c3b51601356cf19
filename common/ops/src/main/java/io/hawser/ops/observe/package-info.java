/**
 * What a node shows of itself. {@link io.hawser.ops.observe.AdminServer} serves pages over HTTP:
 * {@code /health}, {@code /metrics} and what the node adds, each an {@link io.hawser.ops.observe.AdminPage}.
 * {@link io.hawser.ops.observe.TransferStatus} and its neighbours are the JSON of {@code /transfers}, which
 * {@code hawser status} prints.
 */
@NullMarked
package io.hawser.ops.observe;

import org.jspecify.annotations.NullMarked;
