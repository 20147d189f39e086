package io.gpureclaimer.exporter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.RemoveLabels;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RemoveLabelsArgumentsTest {

  @Test
  void removesLabels_whenNothingElseIsSaid() {
    assertThat(parse("remove-labels")).isEqualTo(new RemoveLabels());
  }

  @Test
  void printsItsHelp() {
    assertThat(parse("remove-labels", "--help"))
        .isInstanceOfSatisfying(
            Print.class, help -> assertThat(help.text()).contains("gpu-exporter remove-labels"));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThat(parse("remove-labels", "--nope")).isEqualTo(new Refused("Unknown option: '--nope'"));
  }

  private static Invocation parse(String... args) {
    return new CommandLineArguments(Map.of(), List.of(), "1").parse(args);
  }
}
