package io.gpureclaimer.common.program;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpureclaimer.common.program.sample.SampleConfig;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.MapPropertySource;
import io.micronaut.context.env.PropertySource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownKeysTest {
  private static final String CONFIGURATION = SampleConfig.class.getPackageName();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sample.stale-after",
        "sample.staleAfter",
        "sample.hosts",
        "sample.hosts[0]",
        "sample.name",
        "samples.nam",
        "sampl",
        "micronaut.server.prot"
      })
  void acceptsWhatItKnows_andWhatIsNotOurs(String key) {
    assertThatCode(() -> check(file(key))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "sample.stale-afer, sample.stale-after",
    "sample.staleAftr, sample.stale-after",
    "sample.host, sample.hosts",
    "sample.hsots[1], sample.hosts",
    "sample.name.first, sample.name",
    "sample, sample.name"
  })
  void refusesWhatItDoesNotKnow_andSaysWhatWasProbablyMeant(String key, String meant) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> check(file(key)))
        .withMessage(
            "unknown property " + key + " in application.yml; did you mean " + meant + "?");
  }

  @Test
  void doesNotLookAtTheEnvironment_whoseNamesAreEverybodys() {
    assertThatCode(
            () ->
                check(
                    new MapPropertySource("env", Map.of("SAMPLE_PORT", "tcp://10.0.0.1:80")) {
                      @Override
                      public PropertyConvention getConvention() {
                        return PropertyConvention.ENVIRONMENT_VARIABLE;
                      }
                    }))
        .doesNotThrowAnyException();
  }

  private static PropertySource file(String key) {
    return PropertySource.of("application.yml", Map.of(key, "5s"));
  }

  private static void check(PropertySource source) {
    try (var context =
        ApplicationContext.builder().deduceEnvironment(false).propertySources(source).start()) {
      KnownKeys.of(context, CONFIGURATION).check(context.getEnvironment());
    }
  }
}
