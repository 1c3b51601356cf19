package io.hawser.ptcp.tune;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackgroundRateControlTest {
    /** Another sender whom nothing but loss holds back, with a quarter as many streams. */
    @Test
    void othersWhoFillTheQueueGetMostOfTheLink() {
        double selfish = shareBeside(false);
        double courteous = shareBeside(true);
        assertThat(courteous).isLessThan(0.35).isLessThan(selfish / 2);
        assertThat(courteous).isPositive();
    }

    private static double shareBeside(boolean courteous) {
        LinkModel link = new LinkModel(50, 40, 11);
        TunedSender tuned = new TunedSender(link, new StreamCountTuner(8, 8, false), courteous);
        LinkModel.Sender other = link.sender(2);
        link.run(60, tuned);
        double before = other.acked;
        double own = link.run(120, tuned)[0];
        double others = (other.acked - before) / 120;
        return own / (own + others);
    }

    @Test
    void aloneItUsesTheLinkWithoutFillingTheQueue() {
        LinkModel link = new LinkModel(50, 40, 12).queue(50 * 125_000.0);
        TunedSender tuned = new TunedSender(link, new StreamCountTuner(8, 8, false), true);
        link.run(60, tuned);
        double goodput = link.run(120, tuned)[0];
        assertThat(goodput).isGreaterThan(0.75 * link.capacity());
    }

    @Test
    void whenTheOthersAreGoneItTakesTheLinkAgain() {
        LinkModel link = new LinkModel(50, 40, 13);
        TunedSender tuned = new TunedSender(link, new StreamCountTuner(8, 8, false), true);
        LinkModel.Sender other = link.sender(4);
        link.run(60, tuned);
        other.demand = false;
        link.run(30, tuned);
        assertThat(link.run(60, tuned)[0]).isGreaterThan(0.7 * link.capacity());
    }

    /** The difference looks like a queue, until the shorter way is forgotten: by the kernel, and then by the meter. */
    @Test
    void whereTheWayHasBecomeLongerItTakesTheLinkAgain() {
        LinkModel link = new LinkModel(50, 40, 14);
        TunedSender tuned = new TunedSender(link, new StreamCountTuner(8, 8, false), true);
        link.run(60, tuned);
        link.becomesLonger(120);
        link.run(910, tuned);
        assertThat(link.run(60, tuned)[0]).isGreaterThan(0.6 * link.capacity());
    }
}
