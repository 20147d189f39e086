package io.gpureclaimer.exporter.collect.fields;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Readings.UnitConversion;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.FieldQuery.Field;
import io.gpureclaimer.nvml.FieldValue;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which number of NVML each field of DCGM is made of, against lists that were written by hand from
 * {@code nvml.h} and {@code dcgm_fields.h}: first and last field, first number.
 */
class MappingsTest {
  private static final int ALL_LINKS = -1;

  /** Of the whole board. */
  private static final String FIELDS =
      """
      140 140 82
      156 156 83
      157 157 186
      240 247 74
      285 287 170
      310 313 3
      391 392 30
      393 393 143
      394 394 142
      395 395 145
      396 396 144
      400 405 32
      451 456 96
      409 409 38
      410 415 39
      457 462 102
      419 419 45
      420 425 46
      463 468 108
      429 429 52
      430 435 53
      469 474 114
      439 439 59
      1400 1403 231
      1420 1420 74
      1421 1421 76
      1422 1424 269
      1425 1442 251
      1501 1501 173
      1523 1523 230
      """;

  /** Over all links. */
  private static final String FIELDS_OF_LINKS =
      """
      497 497 163
      498 498 162
      499 499 161
      1200 1203 201
      1204 1210 206
      1211 1213 213
      1214 1214 221
      1215 1215 222
      1216 1216 222
      1217 1217 220
      1218 1218 220
      1219 1219 219
      1220 1220 160
      1404 1419 235
      """;

  /** Percentages, by metric of GPM. */
  private static final String SHARES =
      """
      1001 1003 1
      1004 1004 5
      1005 1005 10
      1006 1008 11
      1013 1013 9
      1014 1014 7
      1015 1015 6
      1016 1016 4
      1017 1024 30
      1025 1032 40
      1033 1034 50
      """;

  private static final String THROUGHPUTS =
      """
      1009 1010 20
      1011 1011 61
      1012 1012 60
      1076 1076 100
      1077 1077 102
      1078 1078 101
      1079 1079 103
      """;

  private static final String AS_IT_IS =
      """
      1080 1083 160
      1084 1096 248
      """;

  @Test
  void everyFieldIsMadeOfItsOwnNumber() {
    var expected = new ArrayList<String>();
    each(FIELDS, (field, number) -> expected.add(field + " of " + number));
    each(FIELDS_OF_LINKS, (field, number) -> expected.add(field + " of " + number + " all"));
    for (int link = 0; link < 36; link++) {
      expected.add(named(1508, link) + " of " + ofLink(165, link));
    }

    assertThat(BulkFieldTable.rows())
        .filteredOn(FieldRow.Plain.class::isInstance)
        .extracting(MappingsTest::text)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void ourOwnUtilizationsAreSharesOfOne() {
    assertThat(NumberTable.rows())
        .filteredOn(row -> row.dcgmField().metricName().startsWith("gpu_"))
        .extracting(
            row -> row.dcgmField().metricName(), NumberRow::asked, row -> row.conversion().of(25L))
        .containsExactly(
            tuple(
                "gpu_jpeg_utilization_ratio",
                DeviceNumbers.JPEG_UTILIZATION,
                OptionalDouble.of(0.25)),
            tuple(
                "gpu_ofa_utilization_ratio",
                DeviceNumbers.OFA_UTILIZATION,
                OptionalDouble.of(0.25)));
  }

  @Test
  void everyRateIsMadeOfItsOwnCounters() {
    var expected = new ArrayList<>(List.of("200 of 197", "201 of 198"));
    expected.addAll(List.of("449 of 138 all and 139 all", "843 of 138 all", "897 of 139 all"));
    int[] both = {
      440, 441, 442, 443, 444, 445, 475, 476, 477, 478, 479, 480, 446, 447, 448, 494, 495, 496
    };
    for (int link = 0; link < both.length; link++) {
      expected.add(both[link] + " of " + ofLink(138, link) + " and " + ofLink(139, link));
      expected.add(825 + link + " of " + ofLink(138, link));
      expected.add(879 + link + " of " + ofLink(139, link));
    }
    for (int link = 0; link < 36; link++) {
      expected.add(named(1529, link) + " of " + ofLink(138, link) + " and " + ofLink(139, link));
      expected.add(named(1530, link) + " of " + ofLink(138, link));
      expected.add(named(1531, link) + " of " + ofLink(139, link));
    }

    assertThat(BulkFieldTable.rows())
        .filteredOn(FieldRow.Rate.class::isInstance)
        .extracting(MappingsTest::text)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void whatIsMeasuredIsInTheUnitOfTheField() {
    var expected = new ArrayList<String>();
    each(SHARES, (field, metric) -> expected.add(field + " of " + metric + ": 0.5"));
    each(THROUGHPUTS, (field, metric) -> expected.add(field + " of " + metric + ": 5.24288E7"));
    each(AS_IT_IS, (field, metric) -> expected.add(field + " of " + metric + ": 50.0"));
    for (int link = 0; link < 18; link++) {
      expected.add(1040 + 2 * link + " of " + (63 + 2 * link) + ": 5.24288E7");
      expected.add(1041 + 2 * link + " of " + (62 + 2 * link) + ": 5.24288E7");
      expected.add(named(1532, link) + " of " + (63 + 2 * link) + ": 5.24288E7");
      expected.add(named(1533, link) + " of " + (62 + 2 * link) + ": 5.24288E7");
      expected.add(named(1532, link + 18) + " of " + (213 + 2 * link) + ": 5.24288E7");
      expected.add(named(1533, link + 18) + " of " + (212 + 2 * link) + ": 5.24288E7");
    }

    assertThat(GpmTable.rows())
        .extracting(
            row ->
                named(row.dcgmField(), row.labels())
                    + " of "
                    + row.metric()
                    + ": "
                    + row.conversion().of(50.0).orElseThrow())
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Bits 8 to 11 are the mantissa, bits 0 to 7 the exponent of a tenth. */
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({"0x000, 0", "0x50C, 5e-12", "0xF0F, 15e-15", "0x10FF, 0", "0x1FF, 1e-255"})
  void aBitErrorRatioIsDecoded(String raw, double ratio) {
    long word = Long.decode(raw);

    assertThat(conversion(1216).of(whole(word))).hasValueCloseTo(ratio, withinPercentage(1e-9));
    assertThat(conversion(1218).of(whole(word))).hasValueCloseTo(ratio, withinPercentage(1e-9));
    assertThat(conversion(1215).of(whole(word))).hasValue((double) word);
    assertThat(conversion(1217).of(whole(word))).hasValue((double) word);
  }

  @Test
  void milliwattsAreWatts_andNoMemoryIsHotterThanTwoHundredDegrees() {
    assertThat(conversion(157).of(whole(412_377))).hasValue(412.377);
    assertThat(conversion(140).of(whole(200))).hasValue(200);
    assertThat(conversion(140).of(whole(201))).isEqualTo(OptionalDouble.empty());
  }

  private interface FieldMapping {
    void of(int field, int number);
  }

  private static void each(String list, FieldMapping pair) {
    for (String line : list.lines().toList()) {
      int[] words = numbers(line);
      for (int field = words[0]; field <= words[1]; field++) {
        pair.of(field, words[2] + field - words[0]);
      }
    }
  }

  private static int[] numbers(String line) {
    return List.of(line.split(" ", -1)).stream().mapToInt(Integer::parseInt).toArray();
  }

  private static String text(FieldRow row) {
    return named(row.dcgmField(), row.labels())
        + " of "
        + row.asked().stream().map(MappingsTest::text).collect(joining(" and "));
  }

  private static String named(DcgmField field, List<Label> labels) {
    return field.id() + labels.stream().map(label -> " nvlink " + label.value()).collect(joining());
  }

  /** DCGM counts links from 1. */
  private static String named(int field, int link) {
    return field + " nvlink " + (link + 1);
  }

  private static String text(Field field) {
    return field.scope() == ALL_LINKS ? field.id() + " all" : ofLink(field.id(), field.scope());
  }

  /** The first link has the scope of a field of the board. */
  private static String ofLink(int number, int link) {
    return link == 0 ? Integer.toString(number) : number + " link " + link;
  }

  private static UnitConversion<FieldValue> conversion(int field) {
    return BulkFieldTable.rows().stream()
        .filter(FieldRow.Plain.class::isInstance)
        .map(FieldRow.Plain.class::cast)
        .filter(row -> row.dcgmField().id() == field)
        .findFirst()
        .orElseThrow()
        .conversion();
  }

  private static FieldValue whole(long number) {
    return new FieldValue.Signed(number);
  }
}
