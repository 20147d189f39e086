package io.gpureclaimer.deviceplugin.nodeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.deviceplugin.nodeconfig.ConfigChoice.Chosen;
import io.gpureclaimer.deviceplugin.nodeconfig.ConfigChoice.Fallback;
import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource.NodeLabel;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConfigChoiceTest {
  private static final String KEY = ConfigChoice.USUAL_LABEL;
  private static final NodeLabel ABSENT = new NodeLabel.Absent();

  @Test
  void takesWhatTheLabelNames_beforeAnythingElse() {
    assertThat(choice("b", Fallback.NAMED).among(new NodeLabel.Value("a"), files("a", "b")))
        .isEqualTo(new Chosen.File("a", "the Node's label " + KEY + " is a"));
  }

  @Test
  void passesANameOver_never() {
    assertThat(choice("b", Fallback.EMPTY).among(new NodeLabel.Value("x"), files("a", "b")))
        .isEqualTo(
            new Chosen.None(
                "the Node's label " + KEY + " is x, but there are only the files [a, b]"));
    assertThat(choice("x", Fallback.EMPTY).among(ABSENT, files("a", "b")))
        .isEqualTo(
            new Chosen.None(
                "the Node has no label "
                    + KEY
                    + ", and the default is x, but there are only the files [a, b]"));
  }

  @Test
  void takesTheDefault_whenThereIsNoLabel() {
    assertThat(choice("b", Fallback.NAMED).among(ABSENT, files("a", "b", "default")))
        .isEqualTo(new Chosen.File("b", "the Node has no label " + KEY + ", and the default is b"));
  }

  @Test
  void takesTheFirstFallbackThatFits() {
    var choice = choice(null, Fallback.NAMED, Fallback.SINGLE, Fallback.EMPTY);
    String why = "the Node has no label " + KEY + ", and the fallback is ";

    assertThat(choice.among(ABSENT, files("a", "default")))
        .isEqualTo(new Chosen.File("default", why + "the file named default"));
    assertThat(choice.among(ABSENT, files("a")))
        .isEqualTo(new Chosen.File("a", why + "the only file"));
    assertThat(choice.among(ABSENT, files("a", "b")))
        .isEqualTo(new Chosen.Empty(why + "an empty configuration"));
  }

  @Test
  void choosesNothing_whenNoFallbackFits() {
    assertThat(choice("", Fallback.NAMED, Fallback.SINGLE).among(ABSENT, files("a", "b")))
        .isEqualTo(
            new Chosen.None(
                "the Node has no label "
                    + KEY
                    + ", there is no default, and none of the fallbacks [named, single] fits the"
                    + " files [a, b]"));
  }

  @Test
  void choosesNothing_whileTheLabelIsNotKnown() {
    assertThat(choice("a", Fallback.EMPTY).among(new NodeLabel.Unknown("timeout"), files("a")))
        .isEqualTo(new Chosen.None("the Node's label " + KEY + " is not known: timeout"));
  }

  @Test
  void readsFallbacks() {
    assertThat(Fallback.all(List.of("named", "empty")))
        .containsExactly(Fallback.NAMED, Fallback.EMPTY);
    assertThatThrownBy(() -> Fallback.all(List.of("any")))
        .hasMessage("a fallback strategy must be one of named, single, empty, was \"any\"");
  }

  private static ConfigChoice choice(@Nullable String defaultName, Fallback... fallbacks) {
    return new ConfigChoice(KEY, defaultName, List.of(fallbacks));
  }

  private static SortedSet<String> files(String... names) {
    return new TreeSet<>(List.of(names));
  }
}
