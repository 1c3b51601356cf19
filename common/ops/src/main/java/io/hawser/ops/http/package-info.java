/**
 * The HTTP/1.1 server of a node, on Netty's HTTP codec, which nothing outside this package knows. {@link io.hawser.ops.http.HttpServer}
 * listens; what answers is an {@link io.hawser.ops.http.HttpHandler}, which gets a whole {@link io.hawser.ops.http.Request} and
 * returns a {@link io.hawser.ops.http.Response} whose {@link io.hawser.ops.http.ResponseBody} is sent piece by piece.
 *
 * <p>All connections belong to one loop, which never blocks: handlers run in {@link io.hawser.ops.http.Lane}s. Whatever a peer can
 * take is bounded by {@link io.hawser.ops.http.HttpLimits}. A connection that the server waits for can be evicted at any time; one
 * whose request is being worked on cannot, and there are no more of these than the lanes have places.
 */
@NullMarked
package io.hawser.ops.http;

import org.jspecify.annotations.NullMarked;
