package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that refuses queries that name too many of a thousand items. */
class PartialQueriesTest {
  private static final List<Integer> ITEMS = IntStream.range(0, 1_000).boxed().toList();

  private final List<Integer> lengths = Collections.synchronizedList(new ArrayList<>());
  private String refusal = "HTTP 422: too long";
  private int most = 100;

  private final PartialQueries queries =
      new PartialQueries(
          (query, _, _, _) -> {
            int length = query.split(",").length;
            lengths.add(length);
            return length > most
                ? new QueryAnswer.Unusable("an answer", refusal)
                : new QueryAnswer.Complete();
          });

  @ParameterizedTest
  @ValueSource(strings = {"HTTP 400", "HTTP 413", "HTTP 414", "HTTP 422: too long"})
  void shortensQueries_afterARefusal(String reason) {
    refusal = reason;

    assertThat(longestOf(1)).isEqualTo(400);
    assertThat(longestOf(1)).isEqualTo(100);
  }

  @Test
  void doublesTheLengthAgain_whenTheServerHasAnsweredForAWhile() {
    assertThat(longestOf(1)).isEqualTo(400);
    most = 400;

    assertThat(longestOf(80)).isEqualTo(100);
    assertThat(longestOf(80)).isEqualTo(200);
    assertThat(longestOf(1)).isEqualTo(400);
  }

  /** Each refusal halves how often a longer query is tried. */
  @Test
  void triesLongerQueriesLessOften_whileTheServerRefusesThem() {
    int refused = 0;
    for (int cycle = 0; cycle < 2_000; cycle++) {
      refused += longestOf(1) > most ? 1 : 0;
    }

    assertThat(refused).isEqualTo(5);
  }

  @Test
  void isBlind_whenTheServerFailsForAnotherReason() {
    refusal = "HTTP 503";

    assertThat(ask()).isPresent();
  }

  /** The longest query of the last of so many cycles. */
  private int longestOf(int cycles) {
    for (int cycle = 0; cycle < cycles; cycle++) {
      lengths.clear();
      assertThat(ask()).isEmpty();
    }
    return Collections.max(lengths);
  }

  private Optional<?> ask() {
    return queries.ask(
        ITEMS,
        PartialQueries.MANY,
        some -> String.join(",", some.stream().map(String::valueOf).toList()),
        Optional.empty(),
        Set.of(),
        _ -> {});
  }
}
