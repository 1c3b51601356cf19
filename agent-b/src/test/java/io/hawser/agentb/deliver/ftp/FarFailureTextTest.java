package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.apache.commons.net.MalformedServerReplyException;
import org.junit.jupiter.api.Test;

class FarFailureTextTest {
    @Test
    void whatTheLibraryLeavesUnclearIsSaid() {
        assertThat(FarFailureText.of(new SocketTimeoutException("Read timed out")))
                .isEqualTo("no answer within the time limit (Read timed out)");
        assertThat(FarFailureText.of(new UnknownHostException("nowhere"))).isEqualTo("there is no host \"nowhere\"");
        assertThat(FarFailureText.of(new ConnectException("Connection refused")))
                .isEqualTo("cannot connect: Connection refused");
        assertThat(FarFailureText.of(new IOException("as it is"))).isEqualTo("as it is");
        assertThat(FarFailureText.of(new IOException())).isEqualTo("IOException");
    }

    @Test
    void malformedReplyIsShownShortAndWithoutControlCharacters() {
        String text =
                FarFailureText.of(new MalformedServerReplyException("what \u001b[2J is this" + "x".repeat(100_000)));

        assertThat(text).hasSize(300).startsWith("what ?[2J is this");
    }
}
