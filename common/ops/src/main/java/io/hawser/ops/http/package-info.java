/**
 * The HTTP/1.1 server of a node, on Netty's HTTP codec, which nothing outside this package knows. {@link io.hawser.ops.http.HttpServer}
 * listens; an {@link io.hawser.ops.http.HttpHandler} gets a complete {@link io.hawser.ops.http.Request} and
 * returns a {@link io.hawser.ops.http.Response}, whose {@link io.hawser.ops.http.ResponseBody} is sent in pieces.
 *
 * <p>All connections belong to one loop, which never blocks: handlers run in {@link io.hawser.ops.http.RequestExecutor}s. {@link io.hawser.ops.http.HttpLimits}
 * bounds everything that a peer can use. A connection that waits for its peer can be evicted at any time; one whose request is in a lane cannot, and
 * the queues of the lanes bound these.
 */
@NullMarked
package io.hawser.ops.http;

import org.jspecify.annotations.NullMarked;
