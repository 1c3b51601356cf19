package io.hawser.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle sees each kind of damage. */
class OracleTest {
    @TempDir
    private Path directory;

    private PlantedDeliveries planted;

    @BeforeEach
    void open() throws IOException {
        planted = new PlantedDeliveries(directory);
    }

    @AfterEach
    void close() throws IOException {
        planted.close();
    }

    @Test
    void deliveryOnceAndInOrderIsNoViolation() throws Exception {
        planted.acked("p/u-1", "once");
        planted.acked("p/o-1", "first version");
        planted.publishAtBoth("p/u-1", "once");
        planted.publishAtBoth("p/o-1", "first version");
        planted.delivered("p/o-1", "second version");
        assertThat(planted.judge()).isEmpty();
        assertThat(planted.target("b1").resolve("p/u-1")).as("taken away").doesNotExist();
    }

    @Test
    void objectMissingAtOneOfTwoIsLost() throws Exception {
        planted.acked("p/u-1", "once");
        planted.publish("b1", "p/u-1", "once");
        assertThat(planted.judge()).containsOnly("lost");
    }

    @Test
    void objectThatReturnsAfterItWasTakenIsDuplicated() throws Exception {
        planted.delivered("p/u-1", "once");
        planted.publish("b2", "p/u-1", "once");
        assertThat(planted.judge()).containsOnly("duplicated");
    }

    @Test
    void partOfAnObjectIsCorrupt() throws Exception {
        planted.delivered("p/o-1", "whole");
        planted.sent("p/o-1", "another");
        planted.publish("b1", "p/o-1", "anot");
        assertThat(planted.judge()).containsOnly("corrupt");
    }

    @Test
    void objectThatWasNeverSentIsCorrupt() throws Exception {
        planted.publish("b1", "p/cut-1", "a part");
        assertThat(planted.judge()).containsOnly("corrupt");
    }

    @Test
    void earlierVersionAfterALaterOneIsOutOfOrder() throws Exception {
        planted.acked("p/o-1", "first version");
        planted.delivered("p/o-1", "second version");
        planted.publishAtBoth("p/o-1", "first version");
        assertThat(planted.judge()).containsOnly("order");
    }
}
