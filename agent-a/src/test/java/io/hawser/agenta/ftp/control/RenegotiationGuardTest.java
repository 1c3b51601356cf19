package io.hawser.agenta.ftp.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

class RenegotiationGuardTest {
    @Test
    void bytesThatWaitForAHandshakesComputationsAreBounded() throws Exception {
        SSLEngine client = SSLContext.getDefault().createSSLEngine();
        client.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.wrap(ByteBuffer.allocate(0), hello);
        SSLEngine server = SSLContext.getDefault().createSSLEngine();
        server.setUseClientMode(false);
        EmbeddedChannel channel = new EmbeddedChannel();
        RenegotiationGuard.addFirst(channel.pipeline(), new SslHandler(server, neverRuns -> {}), what -> true);

        channel.writeInbound(Unpooled.wrappedBuffer(hello.flip()));
        assertThat(channel.isOpen()).isTrue();
        for (int i = 0; i < 20 && channel.isOpen(); i++) {
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[16 << 10]));
        }

        assertThat(channel.isOpen()).isFalse();
        channel.finishAndReleaseAll();
    }
}
