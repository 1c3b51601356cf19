package io.hawser.ops.http;

import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * TLS 1.3 of an HTTP server, by the JDK, since third-party clients connect to it.
 *
 * @param context its keys and trusted CAs
 * @param certificateNeeded whether a peer without a trusted certificate is refused; otherwise the server only requests one
 */
public record HttpTls(SSLContext context, boolean certificateNeeded) {
    /**
     * The handler of one connection.
     *
     * @param handshakes runs the checks of certificates and the computation of keys
     */
    SslHandler newHandler(Executor handshakes, HttpLimits limits) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3"});
        if (certificateNeeded) {
            parameters.setNeedClientAuth(true);
        } else {
            parameters.setWantClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        SslHandler handler = new SslHandler(engine, handshakes);
        handler.setHandshakeTimeout(limits.times().request().toMillis(), TimeUnit.MILLISECONDS);
        handler.setCloseNotifyFlushTimeout(limits.times().linger().toMillis(), TimeUnit.MILLISECONDS);
        return handler;
    }
}
