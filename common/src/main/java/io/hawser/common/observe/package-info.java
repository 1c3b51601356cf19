/**
 * What a node shows of itself. {@link io.hawser.common.observe.AdminServer} serves pages over HTTP on a small thread of
 * its own: {@code /health}, {@code /metrics} and what the node adds, each an {@link io.hawser.common.observe.AdminPage}.
 * {@link io.hawser.common.observe.TransferStatus} and its neighbours are the JSON of {@code /transfers}, which
 * {@code hawser status} prints.
 */
@NullMarked
package io.hawser.common.observe;

import org.jspecify.annotations.NullMarked;
