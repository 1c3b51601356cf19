package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void whatEndsALineOrSpeaksToATerminalIsAQuestionMark() {
        assertThat(Printable.text("a\nb\tc\u001b[31md\u007fe\u009b31mf\u0085g\u2028h\u2029i"))
                .isEqualTo("a?b?c?[31md?e?31mf?g?h?i");
    }

    @Test
    void otherCharactersStay() {
        assertThat(Printable.text("Zoë/日本/\ud83d\ude00.jpg")).isEqualTo("Zoë/日本/\ud83d\ude00.jpg");
    }

    @Test
    void theShortFormCutsBetweenCharacters() {
        assertThat(Printable.shortly("\ud83d\ude00".repeat(301))).isEqualTo("\ud83d\ude00".repeat(300));
        assertThat(Printable.text("x".repeat(301))).hasSize(301);
    }
}
