package io.gpureclaimer.reclaimer.json;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.Encoder;
import io.micronaut.serde.Serde;
import io.micronaut.serde.Serializer;
import io.micronaut.serde.exceptions.SerdeException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.function.Function;

/**
 * JSON of a type whose components do not have the shape of its JSON: converted from and to a type
 * that has.
 *
 * @param <T> the type
 * @param <S> the type that has the shape of the JSON
 */
public abstract class ShapedSerde<T, S> implements Serde<T> {
  private final Argument<S> shape;
  private final Function<T, S> toShape;
  private final Function<S, T> fromShape;

  protected ShapedSerde(Class<S> shape, Function<T, S> toShape, Function<S, T> fromShape) {
    this.shape = Argument.of(shape);
    this.toShape = toShape;
    this.fromShape = fromShape;
  }

  @Override
  public final Serializer<T> createSpecific(EncoderContext context, Argument<? extends T> type)
      throws SerdeException {
    Serializer<? super S> serializer = context.findSerializer(shape).createSpecific(context, shape);
    return (encoder, now, _, value) ->
        serializer.serialize(encoder, now, shape, toShape.apply(value));
  }

  @Override
  public final void serialize(
      Encoder encoder, EncoderContext context, Argument<? extends T> type, T value)
      throws IOException {
    createSpecific(context, type).serialize(encoder, context, type, value);
  }

  @Override
  public final Deserializer<T> createSpecific(DecoderContext context, Argument<? super T> type)
      throws SerdeException {
    Deserializer<? extends S> deserializer =
        context.findDeserializer(shape).createSpecific(context, shape);
    return (decoder, now, _) -> value(deserializer.deserialize(decoder, now, shape));
  }

  @Override
  public final T deserialize(Decoder decoder, DecoderContext context, Argument<? super T> type)
      throws IOException {
    return createSpecific(context, type).deserialize(decoder, context, type);
  }

  private T value(S read) throws SerdeException {
    try {
      return fromShape.apply(read);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new SerdeException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Durations as ISO 8601 has them. */
  @Singleton
  static final class DurationSerde extends ShapedSerde<Duration, String> {
    DurationSerde() {
      super(String.class, Duration::toString, Duration::parse);
    }
  }
}
