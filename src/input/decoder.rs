//! Decoders of the four compressions.
//!
//! Without the feature `archives` there are none: a compressed file then ends in a finding that
//! says so, and the run goes on.

use std::io::{self, BufRead, Read};

use super::archive::Compression;

#[cfg(feature = "archives")]
pub(super) use built_in::decoder;

#[cfg(not(feature = "archives"))]
pub(super) fn decoder(
    _packed: impl BufRead + Send + 'static,
    _compression: Compression,
) -> Box<dyn Read + Send> {
    struct NotBuiltIn;

    impl Read for NotBuiltIn {
        fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
            Err(not_built_in())
        }
    }

    Box::new(NotBuiltIn)
}

/// The error for everything that the feature `archives` is needed for.
#[cfg(not(feature = "archives"))]
pub(super) fn not_built_in() -> io::Error {
    let message = "This build of kifu can't unpack it: it lacks the feature `archives`.";
    super::archive::Refusal(
        crate::finding::Code::UnsupportedArchive,
        message.to_string(),
    )
    .into()
}

#[cfg(feature = "archives")]
mod built_in {
    use bzip2::bufread::BzDecoder;
    use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
    use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

    use super::super::Limits;
    use super::super::archive::Refusal;
    use super::*;
    use crate::finding::Code;

    /// A decoder of one compression over any bytes.
    pub(in crate::input) fn decoder(
        packed: impl BufRead + Send + 'static,
        compression: Compression,
    ) -> Box<dyn Read + Send> {
        match compression {
            Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
            Compression::Bzip2 => Box::new(BzipStreams::new(packed)),
            Compression::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(
                packed,
                true,
                (Limits::WINDOW >> 10) as u32,
            )),
            Compression::Zstd => Box::new(ZstdFrames::new(packed)),
        }
    }

    /// Bzip2 streams one after the other, as `pbzip2` and `cat` write them.
    ///
    /// Every stream has its decoder ask for megabytes, whatever is in it, so that seven megabytes
    /// of empty streams would take half a minute: they may not be many and small.
    struct BzipStreams<R> {
        /// `None` at the end of the file.
        stream: Option<BzDecoder<R>>,
        count: u64,
        /// The bytes of the streams before this one.
        packed: u64,
    }

    /// How many streams a bzip2 file may have for each kilobyte; an honest record takes as much.
    const STREAMS_PER_KILOBYTE: u64 = 4;

    /// How many streams are not looked at.
    const FREE_STREAMS: u64 = 1000;

    impl<R: BufRead> BzipStreams<R> {
        fn new(packed: R) -> BzipStreams<R> {
            BzipStreams {
                stream: Some(BzDecoder::new(packed)),
                count: 1,
                packed: 0,
            }
        }

        /// Goes on to the next stream, if there is one.
        fn start_next(&mut self) -> io::Result<()> {
            let Some(last) = self.stream.take() else {
                return Ok(());
            };
            self.packed += last.total_in();
            let mut packed = last.into_inner();
            if packed.fill_buf()?.is_empty() {
                return Ok(());
            }
            self.count += 1;
            if self.count > FREE_STREAMS + self.packed * STREAMS_PER_KILOBYTE / 1024 {
                let message = "The bzip2 file has too many streams with next to nothing in them; \
                               the rest of it was not read.";
                return Err(Refusal(Code::ArchiveLimit, message.to_string()).into());
            }
            self.stream = Some(BzDecoder::new(packed));
            Ok(())
        }
    }

    impl<R: BufRead> Read for BzipStreams<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            while let Some(stream) = &mut self.stream
                && !buffer.is_empty()
            {
                let count = stream.read(buffer)?;
                if count > 0 {
                    return Ok(count);
                }
                self.start_next()?;
            }
            Ok(0)
        }
    }

    /// Zstandard frames one after the other, as `zstd` and `cat` write them.
    struct ZstdFrames<R> {
        packed: R,
        frame: FrameDecoder,
        in_frame: bool,
    }

    impl<R: BufRead> ZstdFrames<R> {
        fn new(packed: R) -> ZstdFrames<R> {
            let mut frame = FrameDecoder::new();
            frame.set_max_window_size(Limits::WINDOW);
            ZstdFrames {
                packed,
                frame,
                in_frame: false,
            }
        }

        /// Goes on to the next frame with something in it; false at the end.
        fn start_frame(&mut self) -> io::Result<bool> {
            while !self.packed.fill_buf()?.is_empty() {
                match self.frame.reset(&mut self.packed) {
                    Ok(()) => {
                        self.in_frame = true;
                        return Ok(true);
                    }
                    Err(FrameDecoderError::ReadFrameHeaderError(
                        ReadFrameHeaderError::SkipFrame { length, .. },
                    )) => {
                        let mut skipped = self.packed.by_ref().take(u64::from(length));
                        io::copy(&mut skipped, &mut io::sink())?;
                    }
                    Err(error) => return Err(self.failure(&error)),
                }
            }
            Ok(false)
        }

        /// The decoder has many words for "the file is cut off".
        fn failure(&mut self, error: &FrameDecoderError) -> io::Error {
            match self.packed.fill_buf() {
                Ok([]) => io::ErrorKind::UnexpectedEof.into(),
                _ => io::Error::other(error.to_string()),
            }
        }
    }

    impl<R: BufRead> Read for ZstdFrames<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            while !buffer.is_empty() && (self.in_frame || self.start_frame()?) {
                while self.frame.can_collect() == 0 && !self.frame.is_finished() {
                    let one = BlockDecodingStrategy::UptoBlocks(1);
                    if let Err(error) = self.frame.decode_blocks(&mut self.packed, one) {
                        return Err(self.failure(&error));
                    }
                }
                let count = self.frame.read(buffer)?;
                if count > 0 {
                    return Ok(count);
                }
                self.in_frame = false;
            }
            Ok(0)
        }
    }
}

#[cfg(all(test, feature = "archives"))]
mod tests {
    use super::*;
    use bzip2::write::BzEncoder;
    use std::io::Write;

    fn unpacked(streams: &[u8], count: usize) -> io::Result<usize> {
        let packed = io::Cursor::new(streams.repeat(count));
        let mut bytes = Vec::new();
        decoder(packed, Compression::Bzip2).read_to_end(&mut bytes)
    }

    fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::new(1));
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn bzip2_streams_may_be_many_but_not_many_and_empty() {
        let empty = bzip2(b"");
        assert_eq!(unpacked(&empty, 900).unwrap(), 0);
        let error = unpacked(&empty, 5000).unwrap_err();
        assert!(error.to_string().contains("too many streams"), "{error}");
        // As of records that were compressed one by one and joined.
        let number = |n: u32| n.wrapping_mul(2_654_435_761) >> 12;
        let record: String = (0..90).map(|n| format!(";B[{}]", number(n))).collect();
        let record = bzip2(record.as_bytes());
        assert!(record.len() > 256);
        let one = unpacked(&record, 1).unwrap();
        assert_eq!(unpacked(&record, 2000).unwrap(), 2000 * one);
    }
}
